/**
 * @not next: the proxy and translated chats make the same requests as openai.test.ts, which runs through Next.
 * @not postgres: translation happens before payment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stream as AnthropicStream } from '@anthropic-ai/sdk/core/streaming';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { Stream as OpenAIStream } from 'openai/core/streaming';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProgramFixture, RequestFixture } from '@/agents/fixture';
import { MODEL, type ModelServer, startModelServer } from '@/agents/model-server';
import { WORDS } from '@/agents/tasks';
import { type RunningProxyCommand, startProxyCommand } from './harness/command-line';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';

/**
 * Guarantee: recorded requests of coding agents and SDKs work at the gateway and through the proxy, and official
 * clients can read the answers.
 */

const FOLDER = join(repositoryRoot, 'e2e/api/agent-requests');
const FIXTURES = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as ProgramFixture,
);

let model: ModelServer;
let gateway: GatewayUnderTest;
let proxy: RunningProxyCommand;
let targets: Record<string, { url: string; key: string }>;
beforeAll(async () => {
  model = await startModelServer();
  model.folder = '/exercise';
  const models = { [MODEL]: { capabilities: { supportsFunctionCalling: true, supportsResponseSchema: true } } };
  gateway = await startGateway({
    profile: 'live',
    config: { inference: { chatUpstreams: [{ name: 'scripted', url: model.url }], models } },
  });
  const { key } = await gateway.operator.createCaller({ usd: '100' });
  proxy = await startProxyCommand(['--privacy', 'plain', '--model', MODEL], {
    TURNPIKE_URL: gateway.url,
    TURNPIKE_API_KEY: key,
  });
  targets = { gateway: { url: `${gateway.url}/api`, key }, proxy: { url: proxy.url, key: proxy.token } };
}, 120_000);
afterAll(async () => {
  await proxy?.stop();
  await gateway?.stop();
  model?.close();
});

/** Parts of an answer that a program reads: its text, its tool calls, and the ids that later requests may use. */
interface Read {
  status: number;
  text: string;
  called: string[];
  ids: string[];
}

async function send(
  { method, path, headers, body }: RequestFixture,
  target: string,
  ids: readonly string[],
): Promise<Read> {
  const { url, key } = targets[target] as { url: string; key: string };
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/\bKEY$/, key)]));
  // Replaces the model by one that the gateway has, and each reference by the id of the previous answer's item.
  const sent = JSON.stringify(body === null ? null : { ...body, model: MODEL }).replace(
    /("type":"item_reference","id":)"[^"]*"/g,
    (_all, member: string) => `${member}"${ids.at(-1) ?? ''}"`,
  );
  const response = await fetch(`${url}${path}`, { method, headers: own, ...(body !== null && { body: sent }) });
  const { status } = response;
  if (status !== 200) return { status, text: await response.text(), called: [], ids: [] };
  const isStreamed = body?.['stream'] === true;
  expect(response.headers.get('content-type')).toMatch(isStreamed ? /^text\/event-stream/ : /^application\/json/);
  if (method !== 'POST' || path.includes('count_tokens'))
    return { status, text: await response.text(), called: [], ids: [] };
  if (path.includes('/messages'))
    return {
      status,
      ...(isStreamed ? await messagesStream(response) : messageOf((await response.json()) as Anthropic.Message)),
    };
  if (path.includes('/responses'))
    return {
      status,
      ...responseOf(
        isStreamed ? await responsesStream(response) : ((await response.json()) as OpenAI.Responses.Response),
      ),
    };
  return {
    status,
    ...(isStreamed
      ? await chatStream(response)
      : choiceOf(((await response.json()) as OpenAI.ChatCompletion).choices[0]?.message)),
  };
}

type Answer = Omit<Read, 'status'>;

function messageOf({ id, content, stop_reason: reason }: Anthropic.Message): Answer {
  expect(reason).toMatch(/^(end_turn|tool_use)$/);
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    called: content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    ids: [id],
  };
}

async function messagesStream(response: Response): Promise<Answer> {
  const [answer, types]: [Answer, string[]] = [{ text: '', called: [], ids: [] }, []];
  for await (const event of AnthropicStream.fromSSEResponse<Anthropic.MessageStreamEvent>(
    response,
    new AbortController(),
  )) {
    types.push(event.type);
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      answer.called.push(event.content_block.name);
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') answer.text += event.delta.text;
  }
  expect([types[0], types.at(-1)]).toEqual(['message_start', 'message_stop']);
  return answer;
}

function responseOf({ status, output }: OpenAI.Responses.Response): Answer {
  expect(status).toBe('completed');
  const texts = output.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')) : [],
  );
  return {
    text: texts.join(''),
    called: output.flatMap((item) =>
      item.type === 'function_call' || item.type === 'custom_tool_call' ? [item.name] : [],
    ),
    ids: output.flatMap(({ id }) => id ?? []),
  };
}

async function responsesStream(response: Response): Promise<OpenAI.Responses.Response> {
  let last: OpenAI.Responses.ResponseStreamEvent | null = null;
  for await (const event of OpenAIStream.fromSSEResponse<OpenAI.Responses.ResponseStreamEvent>(
    response,
    new AbortController(),
  ))
    last = event;
  if (last?.type !== 'response.completed') throw new Error(`The stream ended with ${String(last?.type)}.`);
  return last.response;
}

function choiceOf(message: OpenAI.ChatCompletionMessage | undefined): Answer {
  return {
    text: message?.content ?? '',
    called: (message?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call.function.name] : [])),
    ids: [],
  };
}

async function chatStream(response: Response): Promise<Answer> {
  const answer: Answer = { text: '', called: [], ids: [] };
  let end: string | null = null;
  for await (const { choices } of OpenAIStream.fromSSEResponse<OpenAI.ChatCompletionChunk>(
    response,
    new AbortController(),
  )) {
    const [choice] = choices;
    answer.text += choice?.delta.content ?? '';
    for (const call of choice?.delta.tool_calls ?? []) if (call.function?.name) answer.called.push(call.function.name);
    end = choice?.finish_reason ?? end;
  }
  expect(end).toMatch(/^(stop|tool_calls)$/);
  return answer;
}

test('there are requests of each program', () => {
  expect(FIXTURES.length).toBeGreaterThanOrEqual(12);
  expect(JSON.stringify(FIXTURES)).not.toMatch(/tpk_|\/tmp\/|\/root\//);
});

describe.each(['gateway', 'proxy'])('at the %s', (target) => {
  test.each(FIXTURES)('the requests of $program are answered', async ({ requests }) => {
    for (const task of new Set(requests.map((request) => request.task))) {
      const reads: Read[] = [];
      for (const request of requests.filter((each) => each.task === task)) {
        const read = await send(request, target, reads.at(-1)?.ids ?? []);
        // The proxy stores items. The gateway stores none.
        const isKept = target === 'proxy' && JSON.stringify(request.body).includes('"item_reference"');
        const status = isKept ? 200 : request.status;
        expect([request.path, read.status, read.status === 200 ? '' : read.text]).toEqual([
          request.path,
          status,
          status === 200 ? '' : read.text,
        ]);
        reads.push(read);
      }
      // Skips requests for titles and the like, which come before and after the task's last request. A refusal may end
      // the task.
      if (reads.at(-1)?.status === 200) expect(reads.map(({ text }) => text)).toContain(WORDS[task]);
      if (task === 'tools') expect(reads.flatMap(({ called }) => called).length).toBeGreaterThan(0);
    }
  });
});
