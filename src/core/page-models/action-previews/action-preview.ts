export interface ActionPreview {
  readonly title: string;
  readonly what: string;
  /** `member` if undefined. */
  readonly needs?: 'viewer' | 'admin';
}
