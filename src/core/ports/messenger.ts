// Interface of the SSRF-safe client that sends notifications, implemented in src/outbound.

/** Result of one delivery attempt; always within its timeout. */
export interface SendAnswer {
  readonly ok: boolean;
  readonly status: number | null;
  /** Short response or failure text, without internal addresses. */
  readonly said: string;
  readonly retryAfter?: string;
}

export interface PostedMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface MailedMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** The same on every attempt, so that mail servers can drop duplicates. */
  readonly messageId: string;
  readonly atMs: number;
  readonly stopUrl: string | null;
}

export interface Messenger {
  /** False without SMTP_URL. */
  readonly canMail: boolean;
  post(message: PostedMessage): Promise<SendAnswer>;
  mail(message: MailedMessage): Promise<SendAnswer>;
}
