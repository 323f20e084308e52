import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../config/secret';
import { BundledProgram } from '@/test/bundled-program';
import { tempFolder } from '@/test/temp-folder';
import { Upstream } from './upstream';

/** Self-signed certificate of `localhost`, valid from 2020 to 2120. It protects nothing. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBdDCCARqgAwIBAgIUc43iTX0JXCmQr6CbNXzvum+lKCMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASXz+mv9EiUaeoW+wpNC1Su40Wy41UVjtPiG54nLkpOim8AvfGqelxT
zmwFKbXE6xG9h8krbMi89I14xxCd9GJ6o0gwRjAUBgNVHREEDTALgglsb2NhbGhv
c3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUWgA/u3y3p91QkU8yTNVju7GB
lK0wCgYIKoZIzj0EAwIDSAAwRQIgVXIS0YfmLb0opq7s5MtKdqSDWfK8/O6Z7Wul
MkYHoyYCIQCt02beU202rl3UkdZR4fows0O5TwO+yj0YMVLqsF058Q==
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3A6D6HTjn/wXV0um
XadsE5MairgmpMZRtGedg+Mry+uhRANCAASXz+mv9EiUaeoW+wpNC1Su40Wy41UV
jtPiG54nLkpOim8AvfGqelxTzmwFKbXE6xG9h8krbMi89I14xxCd9GJ6
-----END PRIVATE KEY-----
`;

/** Starts a TLS node that answers with the length of the request and counts connections. */
async function node(): Promise<{ server: Server; url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
    let length = 0;
    request
      .on('data', (chunk: Buffer) => (length += chunk.length))
      .on('end', () => response.end(JSON.stringify({ length, padding: 'x'.repeat(900_000) })));
  });
  server.on('secureConnection', () => connections++).on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
  };
}

it('a node whose certificate nobody vouches for gets nothing', async () => {
  const { url, server } = await node();
  let requests = 0;
  server.on('request', () => requests++);
  const upstream = new Upstream(
    { url: new Secret(url), headers: {} },
    { connections: 1, connectTimeoutMs: 5_000, answerBytesMax: 1_000_000 },
  );
  onTestFinished(() => upstream.close());
  await expect(upstream.post('{}', 10_000)).rejects.toMatchObject({
    reason: 'connection',
    message: 'the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    facts: { unsent: true },
  });
  expect(requests).toBe(0);
});

it('a node whose certificate is trusted is called over TLS, again and again on one connection', async () => {
  const { url, connections } = await node();
  const authority = join(tempFolder(), 'authority.pem');
  writeFileSync(authority, CERTIFICATE);
  const program = await BundledProgram.make({
    text: `import { Secret } from '@/lib/server/config/secret';
      import { Upstream } from '@/lib/server/upstreams/nodes/upstream';
      const upstream = new Upstream({ url: new Secret(process.argv[2] ?? ''), headers: {} }, { connections: 1, connectTimeoutMs: 5_000, answerBytesMax: 1_000_000 });
      for (const body of ['{}', '"é"', 'x'.repeat(300_000)]) {
        const { length, padding } = JSON.parse((await upstream.post(body, 10_000)).bytes.toString());
        console.log(length, padding.length);
      }
      await upstream.close();`,
  });
  onTestFinished(() => program.remove());
  const { stdout, stderr } = await program.run([url], { NODE_EXTRA_CA_CERTS: authority });
  expect(stderr).toBe('');
  expect(stdout).toBe('2 900000\n4 900000\n300000 900000\n');
  expect(connections()).toBe(1);
});
