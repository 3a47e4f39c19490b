// A function that remembers what it answered: for texts of which few come again and again, such as the host
// of a page or the name of a script.

interface Room {
  /** Of more texts than these all are forgotten. */
  readonly textsMax: number;
  /** Longer texts are not remembered. */
  readonly charactersMax: number;
}

/** The same function of a text, asked once for each that it remembers. */
export function recalling<Answer>(
  answerOf: (text: string) => Answer,
  { textsMax, charactersMax }: Room,
): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (text.length > charactersMax) return answerOf(text);
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = answerOf(text);
    if (answers.size >= textsMax) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
