// What the rules may ask of the guarded way out to send a message: types alone. src/outbound answers it.

/** What came of one try: it always comes, within its deadline. */
export interface SendAnswer {
  /** Whether it was taken over. */
  readonly ok: boolean;
  /** The status that was answered; null where nothing was. */
  readonly status: number | null;
  /** What was said, or what failed, in a few words without addresses of ours. */
  readonly said: string;
  /** When it may be tried again, as a receiver that refused it says (`Retry-After`). */
  readonly retryAfter?: string;
}

export interface PostedMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface MailedMessage {
  /** Mailboxes, with a comma between them. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for who reads HTML; null for text alone. */
  readonly html: string | null;
  /** Stays the same at every try, so that a mailbox can drop repeats. */
  readonly messageId: string;
  readonly atMs: number;
  /** Where it is stopped. */
  readonly stopUrl: string | null;
}

export interface Messenger {
  /** Whether there is a way out for mail at all (SMTP_URL). */
  readonly canMail: boolean;
  post(message: PostedMessage): Promise<SendAnswer>;
  mail(message: MailedMessage): Promise<SendAnswer>;
}
