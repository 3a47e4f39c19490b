// What answers took, as slices keep it: milliseconds with a blank behind each, so that more are put behind.

/** The milliseconds of one text, or of several behind each other. */
export function durationsOf(text: string): number[] {
  return text
    .split(' ')
    .filter((each) => each !== '')
    .map(Number);
}
