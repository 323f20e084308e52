import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../config/secret';
import { webhookFault, WebhookSender } from './webhook';

const ANYWHERE = { enabled: true, allowPrivateAddresses: true };
const PUBLIC = { enabled: true, allowPrivateAddresses: false };
const NOW = Date.UTC(2026, 10, 24);
const MESSAGE = { id: 'alert_7', body: '{"type":"api_key.alert"}' };

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function sender(config = ANYWHERE): WebhookSender {
  const made = new WebhookSender(new Secret('s'.repeat(32)), config);
  onTestFinished(() => made.close());
  return made;
}

describe('a webhook', () => {
  it('is signed so that its receiver can check it by Standard Webhooks, with a secret of its key alone', async () => {
    let received: { headers: IncomingHttpHeaders; body: string } | null = null;
    const port = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received = { headers: request.headers, body };
        response.writeHead(204).end();
      });
    });
    const from = sender();
    await from.send(17, `http://127.0.0.1:${port}/hook`, MESSAGE, NOW);
    const { headers, body } = received as unknown as { headers: IncomingHttpHeaders; body: string };
    const secret = Buffer.from(from.secretOf(17).replace('whsec_', ''), 'base64');
    expect(secret).toHaveLength(32);
    expect(headers['webhook-id']).toBe('alert_7');
    expect(headers['user-agent']).toBe('Turnpike');
    expect(headers['webhook-timestamp']).toBe(String(NOW / 1000));
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', secret)
        .update(`alert_7.${NOW / 1000}.${body}`)
        .digest('base64')}`,
    );
    expect(body).toBe(MESSAGE.body);
    expect(from.secretOf(18)).not.toBe(from.secretOf(17));
  });

  it('tells its receiver the name of the gateway', async () => {
    let agent: string | undefined;
    const port = await listen(
      (request, response) =>
        void ((agent = request.headers['user-agent']), request.resume(), response.writeHead(204).end()),
    );
    const from = new WebhookSender(new Secret('s'.repeat(32)), ANYWHERE, null, 'Acme & Co.');
    onTestFinished(() => from.close());
    await from.send(17, `http://127.0.0.1:${port}/hook`, MESSAGE, NOW);
    expect(agent).toBe('Acme & Co.');
  });

  it("is signed with the secret before today's too, while that is given: receivers that know either take it, and those of another key do not", async () => {
    const [today, before] = [new Secret('n'.repeat(32)), new Secret('s'.repeat(32))];
    let headers: IncomingHttpHeaders = {};
    const port = await listen(
      (request, response) => void ((headers = request.headers), request.resume(), response.writeHead(204).end()),
    );
    const [overlapping, after] = [new WebhookSender(today, ANYWHERE, before), new WebhookSender(today, ANYWHERE)];
    onTestFinished(async () => void (await Promise.all([overlapping.close(), after.close()])));
    const takes = (whsec: string): boolean => {
      const secret = Buffer.from(whsec.replace('whsec_', ''), 'base64');
      const fitting = createHmac('sha256', secret)
        .update(`alert_7.${NOW / 1000}.${MESSAGE.body}`)
        .digest('base64');
      return String(headers['webhook-signature'])
        .split(' ')
        .some((signature) => signature === `v1,${fitting}`);
    };
    const [old, current] = [sender().secretOf(17), after.secretOf(17)];
    expect([overlapping.secretOf(17), current === old]).toEqual([current, false]);
    await overlapping.send(17, `http://127.0.0.1:${port}/`, MESSAGE, NOW);
    expect([takes(old), takes(current), takes(sender().secretOf(18))]).toEqual([true, true, false]);
    await after.send(17, `http://127.0.0.1:${port}/`, MESSAGE, NOW);
    expect([takes(old), takes(current)]).toEqual([false, true]);
  });

  it('that does not take a message is told in a sentence, and a redirect is not followed', async () => {
    let asked = 0;
    const target = await listen((_request, response) => void (asked++, response.end()));
    const port = await listen(
      (request, response) =>
        void response.writeHead(request.url === '/away' ? 302 : 500, { location: `http://127.0.0.1:${target}/` }).end(),
    );
    await expect(sender().send(1, `http://127.0.0.1:${port}/`, MESSAGE, NOW)).rejects.toThrow(
      'The webhook answered with status 500.',
    );
    await expect(sender().send(1, `http://127.0.0.1:${port}/away`, MESSAGE, NOW)).rejects.toThrow(
      'The webhook answered with status 302.',
    );
    await expect(sender().send(1, 'http://127.0.0.1:1/', MESSAGE, NOW)).rejects.toThrow(
      'The webhook cannot be reached.',
    );
    expect(asked).toBe(0);
  });

  it('never leads to where only the gateway can reach, by address or by name', async () => {
    let asked = 0;
    const port = await listen((_request, response) => void (asked++, response.end()));
    for (const url of [
      `https://127.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://2130706433:${port}/`,
      `https://0x7f.1:${port}/`,
      'https://169.254.169.254/latest/meta-data',
    ]) {
      expect(webhookFault(url, PUBLIC), url).toBe('Must be a host on the public internet');
      await expect(sender(PUBLIC).send(1, url, MESSAGE, NOW), url).rejects.toThrow(
        'Must be a host on the public internet',
      );
    }
    expect(webhookFault(`https://localhost:${port}/`, PUBLIC)).toBeNull();
    await expect(sender(PUBLIC).send(1, `https://localhost:${port}/`, MESSAGE, NOW)).rejects.toThrow(
      'has no address on the public internet',
    );
    expect(asked).toBe(0);
  });

  it.each([
    ['http://example.org/', PUBLIC, 'Must be an https:// URL'],
    ['ftp://example.org/', ANYWHERE, 'Must be an https:// URL'],
    ['file:///etc/passwd', ANYWHERE, 'Must be an https:// URL'],
    ['example.org', ANYWHERE, 'Must be an https:// URL'],
    ['https://user:pass@example.org/', PUBLIC, 'Must not contain a user name or password: messages are signed instead'],
    [`https://example.org/${'a'.repeat(2_000)}`, PUBLIC, 'Has more than 2000 characters'],
    ['https://example.org/', { ...PUBLIC, enabled: false }, 'Webhooks are not enabled on this gateway'],
  ])('to %s is refused', (url, config, fault) => {
    expect(webhookFault(url, config)).toBe(fault);
  });
});
