/** Whether the whole text fits: `*` is any text, `?` one character, in any case. No backtracking over `*`. */
export function matchesGlob(pattern: string, text: string): boolean {
  const pieces = pattern.toLowerCase().split('*');
  const lowerText = text.toLowerCase();
  const first = pieces[0] ?? '';
  if (!fitsAt(lowerText, first, 0)) return false;
  if (pieces.length === 1) return lowerText.length === first.length;
  const last = pieces.at(-1) ?? '';
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = findPiece(lowerText, piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const lastAt = lowerText.length - last.length;
  return lastAt >= at && fitsAt(lowerText, last, lastAt);
}

function findPiece(text: string, piece: string, from: number): number {
  if (!piece.includes('?')) return text.indexOf(piece, from);
  for (let at = from; at + piece.length <= text.length; at += 1) {
    if (fitsAt(text, piece, at)) return at;
  }
  return -1;
}

function fitsAt(text: string, piece: string, at: number): boolean {
  if (at + piece.length > text.length) return false;
  for (let index = 0; index < piece.length; index += 1) {
    if (piece[index] !== '?' && piece[index] !== text[at + index]) return false;
  }
  return true;
}
