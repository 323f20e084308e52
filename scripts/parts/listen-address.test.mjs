import net from 'node:net';
import { describe, expect, test } from 'vitest';

import { UsageError } from './command-line.mjs';
import { freePort, listenAddress, requireFreeAddress } from './listen-address.mjs';

describe('the address to listen on', () => {
  test('is port 3000 of the loopback unless said otherwise', () => {
    expect(listenAddress({}, {})).toEqual({ port: 3000, host: '127.0.0.1' });
  });

  test('comes from the options before the environment', () => {
    const env = { PORT: '4000', HOST: '0.0.0.0' };
    expect(listenAddress({}, env)).toEqual({ port: 4000, host: '0.0.0.0' });
    expect(listenAddress({ port: '5000', host: '::1' }, env)).toEqual({ port: 5000, host: '::1' });
  });

  test.each(['abc', '-1', '65536', '3000.5', '0x10', ' '])('refuses the port %j', (port) => {
    expect(() => listenAddress({ port }, {})).toThrow(UsageError);
  });
});

describe('a start is refused in a sentence', () => {
  test('if the port is in use', async () => {
    const port = await freePort();
    const server = net.createServer();
    await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
    await expect(requireFreeAddress({ port, host: '127.0.0.1' })).rejects.toThrow(`Port ${port} is in use`);
    await new Promise((resolve) => server.close(resolve));
    await expect(requireFreeAddress({ port, host: '127.0.0.1' })).resolves.toBeUndefined();
  });

  test('if the host is not an address of this machine', async () => {
    // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no machine has this address.
    await expect(requireFreeAddress({ port: 0, host: '192.0.2.1' })).rejects.toThrow('not an address of this machine');
  });
});
