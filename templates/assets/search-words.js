// Words of a text, their codes, and identifiers: the twin of generator/search_words.py and of the
// forms that generator/lookup.py reads. Pure; docs/formats/search.md has the rules.
(function (pith) {
  "use strict";
  const search = (pith.search ??= {});

  const WORD_LENGTH = 40; // code points
  const END = "-";
  // Scripts written without spaces: their words are pairs of neighbours.
  const CJK = "\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\u{20000}-\\u{3ffff}";
  const RUN = /[\p{L}\p{N}]+/gu;
  const PIECE = new RegExp(`[${CJK}]+|[^${CJK}]+`, "gu");
  const IS_CJK = new RegExp(`^[${CJK}]`, "u");

  /** Cut a run of letters into words: pairs of neighbours where it is Chinese, Japanese or Korean. */
  function wordsOfRun(run) {
    return Array.from(run.matchAll(PIECE), ([piece]) => {
      const points = Array.from(piece);
      if (!IS_CJK.test(piece) || points.length === 1) {
        return [points.slice(0, WORD_LENGTH).join("")];
      }
      return points.slice(1).map((point, index) => points[index] + point);
    }).flat();
  }

  /** Cut a text into words, each once, without accents and in lower case. */
  search.wordsOf = function (text) {
    const folded = text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll("ß", "ss")
      .replaceAll("ς", "σ");
    const words = Array.from(folded.matchAll(RUN), ([run]) => wordsOfRun(run)).flat();
    return [...new Set(words)];
  };

  /** Spell a word in the characters of file names. */
  search.codeOf = function (word) {
    const code = (point) => (/^[a-z0-9]$/.test(point) ? point : `_${point.codePointAt(0).toString(16)}_`);
    return Array.from(word, code).join("");
  };

  /** Spell a whole word: its code with the mark that ends it. */
  search.fullCodeOf = (word) => search.codeOf(word) + END;

  const SUFFIX_LENGTH = 26;
  const SHORT_LENGTHS = [8, 12, 16];
  const PITH = /^(?:pith:)?(?:([0-9]{4}):)?([A-Za-z2-7]+)$/i;
  const PITH_ADDRESS = /^https?:\/\/[^/]+\/(?:.*\/)?pith\/([A-Za-z2-7]{26})(?:[/?#.].*)?$/;
  const DOI = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?(10\.[0-9]{4,9}\/[!-~]{1,200})$/i;
  const ARXIV_DOI = /^10\.48550\/arxiv\./i;
  const ARXIV_ADDRESS = /^https?:\/\/arxiv\.org\/(?:abs|pdf)\//i;
  const ARXIV =
    /^(?:arxiv:)?([0-9]{4}\.[0-9]{4,5}|([a-z]+(?:-[a-z]+)*)(?:\.[a-z]{2})?\/([0-9]{7}))(?:v([1-9][0-9]{0,3}))?$/i;

  /** Read an arXiv id; the subject class of an old one does not count. */
  function arxivOf(text) {
    const match = ARXIV.exec(text);
    if (match === null) {
      return null;
    }
    const name = match[2] === undefined ? match[1] : `${match[2]}/${match[3]}`;
    return { kind: "arxiv", name: name.toLowerCase(), version: Number(match[4] ?? 0) };
  }

  /** Read a Pith Number, its suffix or a short form. */
  function pithOf(text) {
    const address = PITH_ADDRESS.exec(text);
    const match = PITH.exec(address === null ? text : address[1]);
    if (match === null) {
      return null;
    }
    const lengths = match[1] === undefined ? [SUFFIX_LENGTH, ...SHORT_LENGTHS] : [SUFFIX_LENGTH];
    const fits = lengths.includes(match[2].length);
    return fits ? { kind: "pith", name: match[2].toUpperCase(), version: 0 } : null;
  }

  /** Read an identifier in any form: {kind, name, version}, or null. A version of 0 is any. */
  search.identifierOf = function (typed) {
    const text = typed.trim();
    const pith = pithOf(text);
    if (pith !== null) {
      return pith;
    }
    const doi = DOI.exec(text);
    if (doi !== null) {
      const name = doi[1].toLowerCase();
      return arxivOf(name.replace(ARXIV_DOI, "")) ?? { kind: "doi", name, version: 0 };
    }
    return arxivOf(text.replace(ARXIV_ADDRESS, ""));
  };
})((globalThis.PithMirror ??= {}));
