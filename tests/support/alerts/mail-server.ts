// A real mail server on loopback: it keeps what it took, and refuses as it is told to.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly port: number;
  /** What it took: whole mails, as they came. */
  readonly mails: Array<{ readonly to: readonly string[]; readonly text: string }>;
  /** What it answers to a mail that came whole, instead of taking it. */
  refusal: Error | null;
  close(): Promise<void>;
}

/** Starts one, which takes mail from anybody, or from the user `u` with the password `p@ss`. */
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
  // Who is killed in the middle leaves a broken connection behind.
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
