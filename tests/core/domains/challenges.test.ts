import { describe, expect, it } from '@jest/globals';
import {
  buildChallenges,
  checkVerificationFile,
  txtRecordMatches,
} from '../../../src/core/domains/challenges.ts';
import { checkMetaTag } from '../../../src/core/domains/meta-tag.ts';

const token = 'Ab3dEf6hIjKlMnOpQrStUvWxYz0123456789-_ABCDE';
const meta = `<meta name="notifier-site-verification" content="${token}">`;
const page = (html: string, contentType: string | null = 'text/html') => ({
  contentType,
  bytes: Buffer.from(html),
});
const inHead = (head: string) => `<!doctype html><html><head>${head}</head><body><p>Hello</p></body></html>`;

describe('what to publish', () => {
  it('is one challenge for each method', () => {
    const challenges = buildChallenges('example.com', token, '2026-11-28', [
      'dns_txt',
      'http_file',
      'html_meta',
    ]);
    expect(challenges).toEqual([
      {
        type: 'dns_txt',
        name: '_notifier-challenge.example.com',
        value: `token=${token} expiry=2026-11-28`,
        values_also_ok: [`token=${token}`, `notifier-verification=${token}`],
      },
      {
        type: 'http_file',
        url: 'https://example.com/.well-known/notifier-verification.txt',
        body: `notifier-verification=${token}`,
      },
      { type: 'html_meta', url: 'https://example.com/', tag: meta },
    ]);
  });

  it('verifies with every value of the challenge', () => {
    for (const challenge of buildChallenges('example.com', token, '2026-11-28', ['dns_txt'])) {
      if (challenge.type !== 'dns_txt') throw new Error('another challenge');
      for (const value of [challenge.value, ...challenge.values_also_ok]) {
        expect(txtRecordMatches(value, token)).toBe(true);
      }
    }
  });

  it('has no DNS challenge where its name would be too long', () => {
    const longest = `${'b'.repeat(57)}.${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}.com`;
    const types = buildChallenges(longest, token, '2026-11-28', ['dns_txt', 'http_file']).map(
      ({ type }) => type,
    );
    expect(types).toEqual(['http_file']);
  });
});

describe('a TXT record', () => {
  it.each([
    [`  token=${token}\t`],
    [`"token=${token}"`],
    [`" token=${token} expiry=2026-11-28 "`],
    [`expiry=2026-11-28 token=${token}`],
    [`"notifier-verification=${token}"`],
  ])('verifies as %j', (record) => {
    expect(txtRecordMatches(record, token)).toBe(true);
  });

  it.each([
    [''],
    ['token='],
    ['notifier-verification='],
    [token],
    [`token=${token.toLowerCase()}`],
    [`token=${token}x`],
    [`xtoken=${token}`],
    [`token=x${token}`],
    [`""token=${token}""`],
    [`token=${token} token=other`],
    [`token=${token} token=${token}`],
    [`token=${token} include:evil.example`],
    [`token=${token} expiry=1 expiry=2`],
    [`token =${token}`],
    [`token=${token}\u00a0`],
    [`token=\u00ff${token.slice(1)}`],
    [`notifier-verification=${token} expiry=2026-11-28`],
    [`__proto__=${token}`],
  ])('does not verify as %j', (record) => {
    expect(txtRecordMatches(record, token)).toBe(false);
  });
});

describe('a file', () => {
  const line = `notifier-verification=${token}`;
  it.each([
    ['as told', page(line)],
    ['with a line end and blanks', page(`\n ${line}\r\n\n`, 'text/plain')],
    ['with a byte-order mark', page(`\ufeff${line}`, 'application/octet-stream')],
    ['in UTF-16 with its mark', { contentType: null, bytes: Buffer.from(`\ufeff${line}`, 'utf16le') }],
    ['in a declared charset', page(line, 'text/plain; charset="ISO-8859-1"')],
  ])('proves %s', (_how, found) => {
    expect(checkVerificationFile(found, token)).toBeNull();
  });

  it.each([
    ['a page around it', page(`<p>${line}</p>`), 'mismatch'],
    ['the token alone', page(token), 'mismatch'],
    ['a longer word', page(`${line}x`), 'mismatch'],
    ['two lines', page(`${line}\n${line}`), 'mismatch'],
    ['another case', page(line.toUpperCase()), 'mismatch'],
    ['nothing', page(''), 'mismatch'],
    ['a NUL behind it', page(`${line}\0`), 'mismatch'],
    ['an unknown charset', page(line, 'text/plain; charset=utf-7'), 'bad_response'],
  ])('does not verify with %s', (_how, found, code) => {
    expect(checkVerificationFile(found, token)).toBe(code);
  });
});

describe('a page', () => {
  it.each([
    ['in the head', page(inHead(meta))],
    ['with no Content-Type', page(inHead(meta), null)],
    ['with a charset', page(inHead(meta), 'Text/HTML; Charset=utf-8')],
    ['with optional tags left out', page(`<!doctype html><title>x</title>${meta}<p>Hello`)],
    [
      'with attributes in another order and case',
      page(inHead(`<META CONTENT=' ${token} ' NAME=Notifier-Site-Verification>`)),
    ],
    ['among several', page(inHead(`${meta.replace(token, 'other')}${meta}`))],
    ['behind a byte-order mark', page(`\ufeff${inHead(meta)}`)],
    ['in a declared legacy charset', page(inHead(`<meta charset=shift_jis>${meta}`))],
  ])('proves %s', (_how, found) => {
    expect(checkMetaTag(found, token)).toBeNull();
  });

  it.each([
    ['in a comment', inHead(`<!-- ${meta} -->`)],
    ['in a broken comment', inHead(`<!-- --!x ${meta} -->`)],
    ['in an attribute', inHead(`<link title='${meta}'>`)],
    ['in a script', inHead(`<script>var x = '${meta}';</script>`)],
    ['in a style', inHead(`<style>${meta}</style>`)],
    ['in the title', inHead(`<title>${meta}</title>`)],
    ['in noscript', inHead(`<noscript>${meta}</noscript>`)],
    ['in a template', inHead(`<template>${meta}</template>`)],
    ['in the body', `<html><head></head><body>${meta}</body></html>`],
    ['between head and body', `<html><head></head>${meta}<body></body></html>`],
    ['after text without a body tag', `<html><head></head>hello ${meta}</html>`],
    ['in a textarea', `<html><head></head><body><textarea>${meta}</textarea></body></html>`],
    ['in an svg in the head', inHead(`<svg>${meta}</svg>`)],
    ['escaped', inHead(meta.replaceAll('<', '&lt;'))],
    ['under another name', inHead(meta.replace('notifier-', 'x-notifier-'))],
    ['with property in place of name', inHead(meta.replace('name=', 'property='))],
    ['with a second name that comes first', inHead(meta.replace('<meta ', '<meta name="x" '))],
    [
      'in an ISO-2022-JP page, where the bytes are other characters',
      inHead(`<meta charset=iso-2022-jp><title>\u001b$B${meta}\u001b(B</title>`),
    ],
  ])('finds nothing %s', (_where, html) => {
    expect(checkMetaTag(page(html), token)).toBe('no_record');
  });

  it.each([
    ['another token', inHead(meta.replace(token, 'x'.repeat(43)))],
    ['a longer token', inHead(meta.replace(token, `${token}x`))],
    ['another case', inHead(meta.replace(token, token.toLowerCase()))],
    ['an empty token', inHead(meta.replace(token, ''))],
  ])('says mismatch for %s', (_what, html) => {
    expect(checkMetaTag(page(html), token)).toBe('mismatch');
  });

  it.each([
    ['text/plain'],
    ['application/json'],
    ['application/xhtml+xml'],
    ['image/svg+xml'],
    ['text/html; charset=utf-7'],
  ])('is no page as %s', (contentType) => {
    expect(checkMetaTag(page(inHead(meta), contentType), token)).toBe('bad_response');
  });

  it('is parsed up to the end of its head', () => {
    // Each paragraph would open all formatting elements anew: tens of millions of elements from 64 KiB.
    const opened = Array.from({ length: 2500 }, (_, index) => `<b id=${index}>`).join('');
    const bomb = `<head></head><body><p>${opened}${'<p>x'.repeat(5000)}`;
    expect(checkMetaTag(page(bomb), token)).toBe('no_record');
    expect(checkMetaTag(page(`<head><template>${bomb.slice(19)}</template>${meta}</head>`), token)).toBe(
      'no_record',
    );
  });
});
