import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress, isSameAddress } from '../../src/net/addresses.ts';

describe('public addresses', () => {
  it.each([
    ['93.184.216.34'],
    ['8.8.8.8'],
    ['1.1.1.1'],
    ['172.15.255.255'],
    ['172.32.0.1'],
    ['100.63.255.255'],
    ['100.128.0.1'],
    ['168.63.129.17'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2a00:1450:4001:830::200e'],
    ['2001:4860:4860::8888'],
    ['2001:200::1'],
    ['::ffff:8.8.8.8'],
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['0.0.0.0'],
    ['0.1.2.3'],
    ['10.255.255.255'],
    ['100.64.0.0'],
    ['100.100.100.200'],
    ['127.255.255.254'],
    ['168.63.129.16'],
    ['169.254.0.1'],
    ['172.16.0.0'],
    ['172.31.255.255'],
    ['192.0.0.1'],
    ['192.0.2.1'],
    ['192.31.196.1'],
    ['192.52.193.1'],
    ['192.88.99.2'],
    ['192.168.255.255'],
    ['192.175.48.1'],
    ['198.19.255.255'],
    ['198.51.100.1'],
    ['203.0.113.255'],
    ['224.0.0.1'],
    ['239.255.255.255'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::7f00:1'],
    ['::a9fe:a9fe'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['::FFFF:7F00:0001'],
    ['0:0:0:0:0:ffff:10.0.0.1'],
    ['0000:0000:0000:0000:0000:ffff:a9fe:a9fe'],
    ['::ffff:0:7f00:1'],
    ['64:ff9b::8.8.8.8'],
    ['64:ff9b:1::1'],
    ['100::1'],
    ['100:0:0:1::1'],
    ['2001::1'],
    ['2001:0:7f00:1::'],
    ['2001:1ff:ffff::1'],
    ['2001:db8::1'],
    ['2002:7f00:1::'],
    ['2620:4f:8000::1'],
    ['3fff:fff::1'],
    ['4000::1'],
    ['5f00::1'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['2606:4700::1%eth0'],
    ['fec0::1'],
    ['ff02::1'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([[''], ['example.com'], ['127.1'], ['0x7f.0.0.1'], ['8.8.8'], ['8.8.8.8 '], ['[2606:4700::1]']])(
    '%j is no address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it('treats a mapped address as its IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isSameAddress(`::ffff:${address}`, address)).toBe(true);
      }),
    );
  });

  it('recognizes an address in another notation', () => {
    expect(isSameAddress('2606:4700::1', '2606:4700:0:0:0:0:0:1')).toBe(true);
    expect(isSameAddress('2606:4700::1', '2606:4700::2')).toBe(false);
    expect(isSameAddress('8.8.8.8', '8.8.4.4')).toBe(false);
  });
});
