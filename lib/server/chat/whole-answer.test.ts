import { describe, expect, it } from 'vitest';
import { errorBodyOf, isSound, mayBeBettered, readWholeAnswer } from './whole-answer';

const answer = (status: number, body: unknown) =>
  readWholeAnswer({ status, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });

describe('a whole answer', () => {
  it('is a completion where it has choices', () => {
    expect(answer(200, { choices: [{}] }).kind).toBe('completion');
    expect(answer(201, { choices: [{}] }).kind).toBe('completion');
    expect(answer(302, { choices: [{}] }).kind).toBe('refusal');
  });

  it.each([
    [{ error: { code: 429 } }, 429],
    [{ error: { code: '400' } }, 400],
    [{ error: { status: 503 } }, 503],
    [{ error: { code: 'server_error' } }, 502],
    [{ error: { code: 'context_length_exceeded' } }, 400],
    [{ error: { code: 'invalid_prompt' } }, 400],
    [{ error: { code: 'image_too_large' } }, 400],
    [{ error: { code: 'invalid_api_key' } }, 502],
    [{ error: { code: 200 } }, 502],
    [{ error: 'busy' }, 502],
    [{ object: 'error', code: 404 }, 404],
  ])('under 200 is an error of its own status: %j is %i', (body, status) => {
    expect(answer(200, body)).toMatchObject({ kind: 'refusal', answer: { status } });
  });

  it.each(['', 'x', '"x"', 'null', '[]', '{}', '{"error":null}', '{"choices":{}}', '{"choices":[]}', '<html>'])(
    'is unreadable: %j',
    (body) => {
      expect(answer(200, body).kind).toBe('unreadable');
    },
  );

  it.each([
    [200, { choices: [{}] }, false, true],
    [400, {}, false, true],
    [401, {}, false, false],
    [402, {}, true, false],
    [403, {}, false, false],
    [404, {}, false, true],
    [408, {}, true, false],
    [422, {}, false, true],
    [429, {}, true, false],
    [302, {}, true, false],
    [500, {}, true, false],
    [200, {}, true, false],
  ])(
    'with status %i and %j: another upstream may do better: %s; this one is sound: %s',
    (status, body, better, sound) => {
      expect([mayBeBettered(answer(status, body)), isSound(answer(status, body))]).toEqual([better, sound]);
    },
  );
});

describe('an error that comes as an event has the body of a whole one', () => {
  it.each([
    ['data: {"error":{"message":"x"}}\n\n', '{"error":{"message":"x"}}'],
    ['event: error\ndata: {"message":"x"}\n\n', '{"error":{"message":"x"}}'],
    ['error: {"message":"x"}\r\n\r\n', '{"error":{"message":"x"}}'],
    ['event: error\ndata: it burns\n\n', '{"error":"it burns"}'],
    ['data: {"type":"response.failed","response":{"error":{"message":"x"}}}\n\n', '{"error":{"message":"x"}}'],
  ])('%j', (event, body) => expect(errorBodyOf(Buffer.from(event))).toBe(body));
});
