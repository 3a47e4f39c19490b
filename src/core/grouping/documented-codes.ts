// Codes in links to documentation: in production builds a library says no more of a fault than where its
// words stand. Part of `ng2` (docs/grouping.md, "Codes"). Every pattern is linear, and sees one line of at
// most 2,048 characters.
import type { Coded } from './codes.ts';
import { hidden } from './hidden.ts';

const link = /\bhttps?:\/\/([^\s"'<>()[\]{}/?#]{1,253})([^\s"'<>()]{0,1024})/gi;

/** Folders of documentation that hold a page for each error. */
const errorFolder =
  /\/(?:e|err|errors?|error[-_](?:reference|decoder|codes?|messages?|index)|messages|problems|diagnostics|troubleshooting|c\/err)\/([\w.-]{1,64}?)(?:\.html?)?\/?$/i;
/** The last part of an address of a host that documents errors alone, such as errors.pydantic.dev. */
const lastFolder = /\/([\w.-]{1,64})\/?$/;
/** Files of documentation that list errors; the part of the page is the code. */
const errorPage =
  /(?:\/|^)(?:[\w-]{0,32}errors?[\w-]{0,32}|error-(?:reference|decoder)|messages)(?:\.(?:md|html?|mdx))?\/?$/i;

/** Words in front of a link that only says where to read more of the fault. */
const pointing =
  /\b(?:visit|see|here|read|docs?|info|information|details|help|documentation|(?:more|error|text|message)(?: at)?)[:,]? ?\(?$/i;

/** A number that a message gives its fault, where a link says what the number means. */
const numberedError =
  /(\b(?:error|err|code|invariant|violation|warning)(?: (?:nr|no|number|code))?[.:]? ?[#:]? ?|^)(\d{1,5})(?=[\s.;:,)(]|$)/gi;

/**
 * Hides the codes of links to documentation, and the numbers that such a link explains, from what replaces
 * numbers and addresses. Nothing is thrown; a line without a link costs nothing.
 */
export function hideDocumentedCodes(line: string): Coded {
  if (!line.includes('://')) return { text: line, codes: [] };
  const codes = new Set<string>();
  let isExplained = false;
  const text = line.replace(link, (whole: string, host: string, rest: string, at: number) => {
    const isPointed = pointing.test(line.slice(Math.max(0, at - 32), at)) || whole === line;
    const code = documentedCode(host, rest.replace(/[.,;:!]+$/, ''));
    if (code === null || !(isPointed || /\/error-(?:reference|decoder)\b/i.test(rest))) {
      isExplained ||= isPointed;
      return whole;
    }
    codes.add(code);
    return hidden(`<docs ${code}>`);
  });
  if (codes.size > 0 || !isExplained) return { text, codes: [...codes] };
  const numbered = text.replace(numberedError, (_whole, before: string, code: string) => {
    codes.add(code);
    return before + hidden(code);
  });
  return { text: numbered, codes: [...codes] };
}

/** The code of an address, null where it holds none. */
function documentedCode(host: string, rest: string): string | null {
  const [address = '', fragment = ''] = rest.split('#', 2);
  const [path = '', query = ''] = address.split('?', 2);
  const asked = /(?:^|&)(?:code|invariant|error|err)=([\w.-]{1,64})(?:&|$)/i.exec(query);
  if (asked !== null) return asked[1] ?? null;
  // Apollo puts a record with the number of the message into the part of the page.
  const recorded = /"message":\s?(\d{1,6})/.exec(plainFragment(fragment))?.[1];
  if (recorded !== undefined) return recorded;
  const isShort = /^\/[\w-]{1,32}\/?$/.test(path);
  if ((isShort || errorPage.test(path)) && /^(?:[a-z]{1,32}-)?\d{1,6}$/i.test(fragment)) {
    return fragment.toLowerCase();
  }
  if (errorPage.test(path) && /^[\w.-]{2,64}$/.test(fragment)) return fragment.toLowerCase();
  const page = (/^errors?\./i.test(host) ? lastFolder : errorFolder).exec(path)?.[1];
  return page === undefined || isIdentifier(page) ? null : page;
}

function plainFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** An id of something that somebody made, and no name of an error. */
function isIdentifier(page: string): boolean {
  return /^\d{5,}$/.test(page) || /^(?=.{0,64}\d)[0-9a-f-]{12,}$/i.test(page);
}
