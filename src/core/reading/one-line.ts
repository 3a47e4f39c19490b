// Texts of several lines where there is room for one.

/** The text in one line: what is white or not to be seen is a space, several are one, none at its ends. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}
