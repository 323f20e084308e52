import { expect, test } from 'vitest';
import { requestFixture } from './fixture';
import { PROMPTS } from './tasks';

/**
 * Guarantee: recorded requests of programs contain no keys, no machine-specific values and no long texts, and keep
 * their structure.
 */

const FOLDER = '/tmp/turnpike-agents-a1B2c3';
const recorded = (body: unknown) => ({
  task: 'prompt' as const,
  method: 'POST',
  path: '/api/v1/messages?beta=true',
  headers: [
    ['Authorization', 'Bearer tpk_secret'],
    ['X-Api-Key', 'tpk_secret'],
    ['Host', '127.0.0.1:4000'],
    ['X-Session', '2fcf53ad-5c39-4c0f-a5ce-f88a73db903a'],
    ['Anthropic-Beta', 'one,two'],
  ] as const,
  body: JSON.stringify(body),
  status: 200,
});

test('headers keep what a server reads, with KEY in place of keys', () => {
  const { path, headers } = requestFixture(recorded({}), FOLDER);
  expect(path).toBe('/v1/messages?beta=true');
  expect(headers).toEqual({
    authorization: 'Bearer KEY',
    'x-api-key': 'KEY',
    'x-session': '00000000-0000-4000-8000-000000000000',
    'anthropic-beta': 'one,two',
  });
});

test('bodies keep their fields, types and pictures, and the prompt of a long text', () => {
  const picture = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(400, 'A')}`;
  const device = 'a'.repeat(64);
  const body = {
    system: [{ type: 'text', text: 'x'.repeat(5_000), cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: `${'y'.repeat(900)} ${PROMPTS.prompt}` },
      { type: 'image', url: picture },
    ],
    tools: [
      {
        name: 'Read',
        description: 'Reads.',
        input_schema: { properties: { file: { type: 'string', description: 'A file.' } } },
      },
    ],
    metadata: { device, cwd: `${FOLDER}/codex-AbC123/project/notes.txt` },
    stream: true,
    n: null,
  };
  expect(requestFixture(recorded(body), FOLDER).body).toEqual({
    system: [{ type: 'text', text: 'A text of 5000 characters stood here.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: `A text of ${901 + PROMPTS.prompt.length} characters stood here. ${PROMPTS.prompt}` },
      { type: 'image', url: picture },
    ],
    tools: [
      {
        name: 'Read',
        description: 'What it is for.',
        input_schema: { properties: { file: { type: 'string', description: 'What it is for.' } } },
      },
    ],
    metadata: { device: '0'.repeat(64), cwd: '/exercise/project/notes.txt' },
    stream: true,
    n: null,
  });
});
