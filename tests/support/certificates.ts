// Creates X.509 certificates at run time, so that no key is in the repository and none expires.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A server certificate; valid for a day around now by default. */
  issue(names: readonly string[], validity?: { notBefore: Date; notAfter: Date }): Certificate;
}

const dayMs = 86_400_000;

export function createAuthority(name = 'Test Authority'): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = extension('551d13', true, sequence(boolean(true)));
  const cert = certificate(name, name, pair.publicKey, pair.privateKey, around(), [constraints]);
  return {
    cert,
    key: pem(pair.privateKey),
    issue: (names, validity = around()) => {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const hosts = sequence(...names.map((host) => der(0x82, Buffer.from(host, 'latin1'))));
      const extensions = [extension('551d11', false, hosts)];
      const signed = certificate(
        name,
        names[0] ?? 'nobody',
        leaf.publicKey,
        pair.privateKey,
        validity,
        extensions,
      );
      return { cert: signed, key: pem(leaf.privateKey) };
    },
  };
}

export function createSelfSigned(name: string): Certificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hosts = sequence(der(0x82, Buffer.from(name, 'latin1')));
  const extensions = [extension('551d11', false, hosts)];
  return {
    cert: certificate(name, name, pair.publicKey, pair.privateKey, around(), extensions),
    key: pem(pair.privateKey),
  };
}

function around() {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}

function pem(key: KeyObject): string {
  return createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' }))
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

function certificate(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  validity: { notBefore: Date; notAfter: Date },
  extensions: readonly Buffer[],
): string {
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(validity.notBefore), time(validity.notAfter)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, signer);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  const attribute = sequence(
    der(0x06, Buffer.from('550403', 'hex')),
    der(0x0c, Buffer.from(commonName, 'utf8')),
  );
  return sequence(der(0x31, attribute));
}

function time(date: Date): Buffer {
  const text = `${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return der(0x18, Buffer.from(text, 'latin1'));
}

function extension(identifier: string, critical: boolean, value: Buffer): Buffer {
  const parts = [der(0x06, Buffer.from(identifier, 'hex'))];
  if (critical) parts.push(boolean(true));
  return sequence(...parts, der(0x04, value));
}

function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}
