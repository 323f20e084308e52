import { describe, expect, it } from 'vitest';
import { redactedEvent } from './outgoing-events';

/** Redacts as an upstream does. The pattern of a bearer token also matches JSON punctuation after the token. */
const redact = (text: string): string =>
  text.replaceAll('sk-secret/of-it', '[redacted]').replace(/\bBearer +[\x21-\x7e]+/g, '[redacted]');
const clean = (event: string): string => Buffer.from(redactedEvent(Buffer.from(event), redact)).toString();

describe('an event without its secrets', () => {
  it.each([
    ['data: {"error":{"message":"No, Bearer abc"}}\n\n', 'data: {"error":{"message":"No, [redacted]"}}\n\n'],
    [
      'data: {"error":{"message":"x","param":"Bearer abc"},"choices":[]}\r\n\r\n',
      'data: {"error":{"message":"x","param":"[redacted]"},"choices":[]}\n\n',
    ],
    ['event: error\ndata: {"message":"Bearer abc"}\n\n', 'event: error\ndata: {"message":"[redacted]"}\n\n'],
    ['error: {"message":"Bearer abc"}\n\n', 'error: {"message":"[redacted]"}\n\n'],
    ['data: {"error":\ndata: "Bearer abc"}\n\n', 'data: {"error":"[redacted]"}\n\n'],
    ['data: {"error":"sk-secret\\/of-it"}\n\n', 'data: {"error":"[redacted]"}\n\n'],
    ['data: {"error":{"sk-secret/of-it":[["Bearer abc"]]}}\n\n', 'data: {"error":{"[redacted]":[["[redacted]"]]}}\n\n'],
    [
      'event: error\ndata: it is Bearer abc\ndata: no more\n\n',
      'event: error\ndata: it is [redacted]\ndata: no more\n\n',
    ],
    [': Bearer abc\ndata: {"error":"x"}\n\n', ': [redacted]\ndata: {"error":"x"}\n\n'],
  ])('%j', (event, expected) => expect(clean(event)).toBe(expected));

  it.each(['data: {"error" : {"message":"x"}}\r\n\r\n', 'event: error\ndata: x\n\n', 'error: {}\n\n'])(
    'stays unchanged without secrets: %j',
    (event) => expect(clean(event)).toBe(event),
  );

  it('is redacted as text where it is nested too deeply', () => {
    const event = `data: ${'['.repeat(200_000)}"Bearer abc"${']'.repeat(200_000)}\n\n`;
    expect(clean(event)).not.toContain('abc');
  });
});
