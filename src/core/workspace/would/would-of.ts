// What is said of an act that the demo does not do.

export interface Would {
  readonly title: string;
  /** What follows from it, in a sentence or two. */
  readonly what: string;
  /** Members unless said. */
  readonly needs?: 'viewer' | 'admin';
}
