// Protects text from later patterns by moving ASCII to Unicode's private use area.

const base = 0xe000;

export function hidden(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(base + sign.charCodeAt(0)));
}

export function revealed(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - base));
}

/** Removes characters that would be taken for protected ones. */
export function withoutHidden(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, '');
}

export type Hide = (place: string) => string;
