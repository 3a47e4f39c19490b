// What a page says about the act before it: known sentences by their codes, so that nobody can put words into
// an address.

/** The sentence of each code that an act may leave in the address it leads to. */
export const notices: Readonly<Record<string, string>> = {
  'issue-unchanged': 'It was so already, so nothing was changed.',
  'nothing-chosen': 'Nothing was chosen, so nothing was changed.',
};
