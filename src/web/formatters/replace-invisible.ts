/** Control characters become Unicode control pictures or `\x85`. Tabs and newlines stay; CRLF becomes LF. */
export function replaceInvisible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, symbolOf)
    .toWellFormed();
}

function symbolOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\x${code.toString(16)}`;
}
