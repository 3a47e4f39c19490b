// Interface of the SSRF-safe client that sends notifications, implemented in src/net.

/** Result of one delivery attempt; always within its timeout. */
export interface DeliveryResult {
  readonly ok: boolean;
  readonly status: number | null;
  /** Short response or failure text, without internal addresses. */
  readonly detail: string;
  readonly retryAfter?: string;
  /** What the receiver answered to a message that it took, in one line. */
  readonly answer?: string;
  /** The beginning of that answer, at most 4 KiB, as it was received. */
  readonly text?: string;
  /** The thread that the message is in; empty if that takes no reply, so that the next try is outside of it. */
  readonly threadTs?: string;
  /** The recipient takes no messages any more: it is removed, and the message not tried again. */
  readonly isGone?: true;
}

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What `body` is written in; UTF-8 by default. */
  readonly encoding?: 'base64';
  /** POST by default. */
  readonly method?: 'PUT';
}

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** The same on every attempt, so that mail servers can drop duplicates. */
  readonly messageId: string;
  readonly atMs: number;
  readonly stopUrl: string | null;
  /** Whether a POST to `stopUrl` unsubscribes without another question (RFC 8058). */
  readonly isOneClick?: boolean;
}

export interface NotificationSender {
  /** False without SMTP_URL. */
  readonly canMail: boolean;
  post(message: WebhookMessage): Promise<DeliveryResult>;
  mail(message: MailMessage): Promise<DeliveryResult>;
}
