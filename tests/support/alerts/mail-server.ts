// An SMTP server on loopback that keeps received mails, or refuses them.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly port: number;
  readonly mails: Array<{ readonly to: readonly string[]; readonly text: string }>;
  /** The error for received mails; null accepts them. */
  refusal: Error | null;
  close(): Promise<void>;
}

/** Accepts mail without login, or from user `u` with password `p@ss`. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      done(username === 'u' && password === 'p@ss' ? null : new Error('no'), { user: 'u' }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        if (started.refusal !== null) return done(started.refusal);
        mails.push({ to, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const started: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refusal: null,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return started;
}
