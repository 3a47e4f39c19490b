// What the tests of the demo check, whatever they check it of. Texts alone.

export const behaviours = [
  'is empty at first',
  'keeps its order',
  'survives a reload',
  'says what is missing',
  'refuses an unknown zone',
  'rounds half a cent up',
  'waits for the server',
  'gives up after three tries',
  'shows the newest first',
  'counts each once',
  'reads right to left',
  'has a name for a screen reader',
  'is reached by keyboard alone',
  'never says “undefined”',
  'takes 10,000 lines',
  'forgets what was removed',
] as const;
