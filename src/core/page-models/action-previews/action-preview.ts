// The preview of an action, which the demo shows instead of doing it.

export interface ActionPreview {
  readonly title: string;
  readonly what: string;
  /** `member` if undefined. */
  readonly needs?: 'viewer' | 'admin';
}
