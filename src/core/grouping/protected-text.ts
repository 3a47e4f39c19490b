// Protects text from later patterns by moving ASCII to Unicode's private use area.

const base = 0xe000;

export function protectText(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(base + sign.charCodeAt(0)));
}

export function unprotectText(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - base));
}

/** Removes characters that would be taken for protected ones. */
export function removeProtected(text: string): string {
  return text.replace(/[\ue021-\ue07e]/g, '');
}

export type Protect = (text: string) => string;
