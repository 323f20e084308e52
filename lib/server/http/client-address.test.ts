import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';

const PEER = '10.0.0.9';

describe('the address of a client', () => {
  it("is the peer's own where no proxy is trusted, whatever the header says", () => {
    for (const header of [null, '', '1.1.1.1', '1.1.1.1, 2.2.2.2']) expect(clientAddress(PEER, header, 0)).toBe(PEER);
  });

  it.each([
    ['1.1.1.1', 1, '1.1.1.1'],
    ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['6.6.6.6,  1.1.1.1 ,2.2.2.2', 2, '1.1.1.1'],
    ['6.6.6.6, 7.7.7.7, 1.1.1.1, 2.2.2.2, 3.3.3.3', 3, '1.1.1.1'],
    ['1.1.1.1', 2, '1.1.1.1'],
    ['2001:db8::1', 1, '2001:db8::1'],
  ])('is the entry of the outermost trusted proxy: %j behind %i', (header, hops, address) => {
    expect(clientAddress(PEER, header, hops)).toBe(address);
  });

  it.each([null, '', ' ', ',', '1.1.1.1,', '1.1.1.1, '])('is the peer where that entry is empty: %j', (header) => {
    expect(clientAddress(PEER, header, 1)).toBe(PEER);
  });
});
