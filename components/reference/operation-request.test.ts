import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ApiOperation } from './api-description';
import { operationSamples } from './operation-samples';
import { missingParameters, operationCurl, operationPath } from './operation-request';

const parameter = (name: string, place: 'path' | 'query' | 'header', required = false) => ({
  name,
  place,
  required,
  description: '',
  schema: {},
});
const operation: ApiOperation = {
  id: 'attest',
  verb: 'GET',
  path: '/tee/{provider}/attestation',
  group: '',
  summary: '',
  description: '',
  credentials: [{ name: 'apiKey', header: 'Authorization', description: '' }],
  parameters: [
    parameter('provider', 'path', true),
    parameter('model', 'query', true),
    parameter('nonce', 'query'),
    parameter('X-Trace', 'header'),
  ],
  body: null,
  responses: [],
};

describe('the path of an operation', () => {
  it('takes values percent-encoded, so that no value leads to another path', () => {
    expect(operationPath(operation, { provider: '../a b', model: 'x&y=1' })).toBe(
      '/tee/..%2Fa%20b/attestation?model=x%26y%3D1',
    );
  });

  it('keeps the place of what is not given, and leaves it out of the query', () =>
    expect(operationPath(operation, { nonce: '' })).toBe('/tee/{provider}/attestation'));

  it('knows what still has to be given', () => {
    expect(missingParameters(operation, { model: 'm' }).map(({ name }) => name)).toEqual(['provider']);
    expect(missingParameters(operation, { model: 'm', provider: 'p' })).toEqual([]);
  });
});

describe('the operation as curl', () => {
  it('carries headers, key and body, and a shell reads it as meant', () => {
    const curl = operationCurl(
      { ...operation, verb: 'POST' },
      {
        baseUrl: "http://localhost/it's",
        values: { provider: 'p', 'X-Trace': "a'b" },
        credential: { kind: 'apiKey', apiKey: '<API_KEY>' },
        body: { text: "don't $HOME" },
      },
    );
    const words = execFileSync('sh', ['-c', curl.replace(/^curl/, "printf '%s\\0'")], { encoding: 'utf8' }).split('\0');
    expect(words.slice(0, -1)).toEqual([
      "http://localhost/it's/tee/p/attestation",
      '-H',
      'Authorization: Bearer <API_KEY>',
      '-H',
      "X-Trace: a'b",
      '-H',
      'Content-Type: application/json',
      '-d',
      '{\n    "text": "don\'t $HOME"\n  }',
    ]);
  });

  it('sends a form field by field, and the file from the disk', () => {
    const body = { mediaType: 'multipart/form-data', schema: {}, examples: [] };
    expect(
      operationCurl(
        { ...operation, verb: 'POST', credentials: [], body },
        {
          baseUrl: 'http://h',
          values: { provider: 'p' },
          credential: null,
          body: { file: '@speech.mp3', model: "it's" },
        },
      ),
    ).toBe("curl 'http://h/tee/p/attestation' \\\n  -F 'file=@speech.mp3' \\\n  -F 'model=it'\\''s'");
  });

  it('names a verb that curl would not choose itself, and sends no key to what is public', () => {
    expect(
      operationCurl(
        { ...operation, verb: 'DELETE', credentials: [] },
        { baseUrl: 'http://h', values: { provider: 'p' }, credential: { kind: 'apiKey', apiKey: 'k' } },
      ),
    ).toBe("curl -X DELETE 'http://h/tee/p/attestation'");
  });
});

describe('the operation in other languages', () => {
  const options = {
    baseUrl: 'http://h/api/v1',
    values: { provider: 'p' },
    credential: { kind: 'apiKey', apiKey: 'k' } as const,
  };

  it('is there in TypeScript, in Python and with the client package, which has nothing to do for a public call', () => {
    const languages = (each: ApiOperation) => operationSamples(each, options).map(({ language }) => language);
    expect(languages(operation)).toEqual(['fetch', 'python', 'client']);
    expect(languages({ ...operation, credentials: [] })).toEqual(['fetch', 'python']);
  });

  it('reads a streamed answer line by line, and writes sound to a file', () => {
    const [streamed] = operationSamples({ ...operation, verb: 'POST' }, { ...options, body: { stream: true } });
    expect(streamed?.code).toContain('for await (const text of');
    const contents = [{ mediaType: 'audio/mpeg', schema: {}, examples: [] }];
    const responses = [{ status: '200', description: '', headers: [], contents }];
    const [spoken] = operationSamples({ ...operation, verb: 'POST', responses }, { ...options, body: {} });
    expect(spoken?.code).toContain("await writeFile('answer.mp3'");
  });
});
