// Text that later patterns must leave as it is: its signs are moved to Unicode's private area and back. Part
// of `ng2`.

const base = 0xe000;

/** ASCII text as no pattern for words, numbers or paths finds it. */
export function hidden(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(base + sign.charCodeAt(0)));
}

/** The text that `hidden` took away. */
export function revealed(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - base));
}

/** Text without signs that would pass for hidden ones. */
export function withoutHidden(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, '');
}

/** Hides a place and remembers it. */
export type Hide = (place: string) => string;
