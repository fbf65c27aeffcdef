"""pith-mirror: signed bundles in, a verified static mirror out.

    bundles/ ─load→ RawBundle ─verify→ BundleReport ─merge→ RecordState ─render→ bytes ─write→ site/

| module | takes | gives |
| --- | --- | --- |
| `load`, `archives`, `compression` | a folder | raw bundles, streamed |
| `verify` and `verify_*` | bytes and trusted keys | a report; alone makes `VerifiedBundle` |
| `merge`, `state` | verified bundles of one record | the merged state, `state.json` |
| `facts`, `describe`, `documents`, `snippets`, `badge`, `display` | a state | what pages say |
| `citation_export`, `metadata`, `linkset`, `names` | a state | what machines read of a record |
| `preview`, `preview_drawing` | titles | preview images |
| `profiles`, `precompress` | paths | which files are written, and their siblings |
| `record_files` | a verified bundle | every file of one record |
| `record_builder`, `workers`, `progress` | raw bundles | built records, by several processes |
| `update`, `changes`, `build_context`, `assemble` | the last build | what is to be made again |
| `build_state`, `bundle_index`, `*_index` | a build | what the next one needs to know of it |
| `catalogue*`, `plan`, `site_browse`, `site_documents` | all records | listings, aliases, report |
| `stats`, `plots` | the catalogue | numbers as tables, pictures, JSON |
| `site_machines`, `site_feeds`, `site_sitemap`, `parquet` | all records | files for programs |
| `site_search`, `search_index`, `search_words`, `full_text` | all records | search |
| `render` | a view model of `pages` | bytes |
| `write`, `staging`, `journal`, `ledger`, `manifest`, `layout` | bytes | `site/` |
| `site_folder`, `site_lock`, `plain_files` | `site/` | a folder that is ours and held |
| `build` | | the flow on one screen |
| `census`, `sample_site`, `estimate`, `hosting` | bundles | what a build will come to |
| `browser_trust`, `self_check`, `verify_page`, `check_script` | a record | what browsers check |
| `fixity`, `fixity_*` | `site/` | its faults against its manifest |
| `union`, `seen`, `compare`, `holdings` | bundles, states, folders | the union; what differs |
| `lookup`, `look`, `look_lines`, `event_words` | an id and bundles | a record for the terminal |
| `key_use`, `key_list` | trusted keys and bundles | what each key signed |
| `cli`, `cli_*`, `terminal`, `config`, `resources`, `errors`, `limits` | | the shell around it |
| `formats/` | | the nouns, free of IO |
"""

__version__ = "0.1.0"
