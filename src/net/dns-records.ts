import type { promises as dns } from 'node:dns';
import { OutboundFailure } from './failure.ts';

export type RecordKind = 'A' | 'AAAA' | 'CAA' | 'CNAME' | 'MX' | 'NS' | 'SRV' | 'TXT';

type Resolver = InstanceType<typeof dns.Resolver>;

const recordsMax = 64;
const charactersMax = 16 * 1024;

const questions: Readonly<Record<RecordKind, (of: Resolver, name: string) => Promise<string[]>>> = {
  A: (of, name) => of.resolve4(name),
  AAAA: (of, name) => of.resolve6(name),
  async CAA(of, name) {
    const records = await of.resolveCaa(name);
    return records.map((record) => {
      const tag = Object.keys(record).find((each) => each !== 'critical' && each !== 'type');
      return `${record.critical} ${tag} ${record[tag as keyof typeof record]}`;
    });
  },
  CNAME: (of, name) => of.resolveCname(name),
  MX: async (of, name) =>
    (await of.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  NS: (of, name) => of.resolveNs(name),
  SRV: async (of, name) =>
    (await of.resolveSrv(name)).map((each) => `${each.priority} ${each.weight} ${each.port} ${each.name}`),
  TXT: async (of, name) => (await of.resolveTxt(name)).map((strings) => strings.join('')),
};

/** Returns at least one record. Throws Node's DNS error or OutboundFailure. */
export async function queryRecords(of: Resolver, name: string, kind: RecordKind): Promise<readonly string[]> {
  const records = await questions[kind](of, name);
  const characters = records.reduce((sum, record) => sum + record.length, 0);
  if (records.length > recordsMax || characters > charactersMax) throw new OutboundFailure('too_large');
  if (records.length === 0) throw new OutboundFailure('no_record');
  return records;
}
