import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import * as packet from 'dns-packet';

export type DnsAnswer =
  | { readonly records: readonly packet.Answer[] }
  | { readonly rcode: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' }
  | 'silence';

export type Answering = (question: { name: string; type: string }) => DnsAnswer;

export interface DnsServer {
  readonly address: string;
  readonly asked: Array<{ name: string; type: string }>;
  answer(answering: Answering): void;
  close(): Promise<void>;
}

const udpBytesMax = 512;
const rcodes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** All names are NXDOMAIN until `answer` is called. */
export async function startDnsServer(
  answering: Answering = () => ({ rcode: 'NXDOMAIN' }),
): Promise<DnsServer> {
  let current = answering;
  const asked: Array<{ name: string; type: string }> = [];
  const reply = (bytes: Buffer): Buffer | null => {
    const query = packet.decode(bytes);
    const question = query.questions?.[0];
    if (question === undefined) return null;
    const plain = { name: question.name.toLowerCase(), type: question.type };
    asked.push(plain);
    const answer = current(plain);
    if (answer === 'silence') return null;
    const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE;
    const head = { id: query.id ?? 0, type: 'response' as const, questions: [question] };
    if ('rcode' in answer) return packet.encode({ ...head, flags: flags | rcodes[answer.rcode] });
    return encoded({ ...head, flags }, question, answer.records);
  };

  const tcp = createServer((socket) => {
    readTcpQuestions(socket, (bytes) => {
      const answer = reply(bytes);
      if (answer === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    });
  });
  const { port } = await listening(tcp);
  const udp = createSocket('udp4');
  udp.on('message', (bytes, from) => {
    const answer = reply(bytes);
    if (answer === null) return;
    udp.send(answer.length > udpBytesMax ? truncated(bytes) : answer, from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${port}`,
    asked,
    answer: (next) => {
      current = next;
    },
    close: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

/** Answers from a table `NAME TYPE`; other types of a known name have no data, other names are NXDOMAIN. */
export function fromTable(table: Readonly<Record<string, DnsAnswer>>): Answering {
  return ({ name, type }) => {
    const found = table[`${name} ${type}`];
    if (found !== undefined) return found;
    const alias = table[`${name} CNAME`];
    if (alias !== undefined) return alias;
    const exists = Object.keys(table).some((key) => key.startsWith(`${name} `));
    return exists ? { records: [] } : { rcode: 'NXDOMAIN' };
  };
}

/** Several strings are one split record. */
export function txt(name: string, ...strings: ReadonlyArray<string | Buffer>): packet.Answer {
  const data = strings.map((text) => (typeof text === 'string' ? Buffer.from(text) : text));
  return { type: 'TXT', name, ttl: 0, data };
}

export function addressRecord(name: string, address: string): packet.Answer {
  return { type: address.includes(':') ? 'AAAA' : 'A', name, ttl: 0, data: address };
}

export function cname(name: string, target: string): packet.Answer {
  return { type: 'CNAME', name, ttl: 0, data: target };
}

/** Compresses names: dns-packet does not, and many addresses would not fit into one message. */
function encoded(head: packet.Packet, question: packet.Question, records: readonly packet.Answer[]): Buffer {
  const pointing = records.flatMap((record) =>
    record.type === 'A' && record.name === question.name
      ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...record.data.split('.').map(Number)])]
      : [],
  );
  if (pointing.length !== records.length) return packet.encode({ ...head, answers: [...records] });
  const bytes = packet.encode(head);
  bytes.writeUInt16BE(pointing.length, 6);
  return Buffer.concat([bytes, ...pointing]);
}

function truncated(question: Buffer): Buffer {
  const query = packet.decode(question);
  const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | packet.TRUNCATED_RESPONSE;
  return packet.encode({ id: query.id ?? 0, type: 'response', flags, questions: query.questions ?? [] });
}

function readTcpQuestions(socket: Socket, question: (bytes: Buffer) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      question(waiting.subarray(2, end));
      waiting = waiting.subarray(end);
    }
  });
}

async function listening(server: ReturnType<typeof createServer>): Promise<{ port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  return { port: address.port };
}
