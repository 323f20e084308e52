import { afterEach, expect, it, vi } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { says, scriptedModel } from '@/test/scripted-model';

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
const CHAT = {
  model: 'plain',
  messages: [{ role: 'user', content: 'Hello?' }],
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
};

afterEach(() => void vi.useRealTimers());

it.each(['judge', 'replyFault'] as const)(
  'a chat whose schema waits for its turn (%s) keeps its hold',
  async (step) => {
    const model = await scriptedModel(says('{"a":"x"}'));
    const { gateway, ask, charges } = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
    const schemas = gateway.chat.current.replySchemas;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const wait = async (): Promise<void> => {
      begin();
      await ended;
    };
    vi.spyOn(schemas, 'judge').mockImplementation(async () => {
      if (step === 'judge') await wait();
      return { kind: 'usable' };
    });
    vi.spyOn(schemas, 'replyFault').mockImplementation(async () => {
      if (step === 'replyFault') await wait();
      return null;
    });
    const noted = vi.spyOn(gateway.meter, 'checkpoint');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const asked = ask(CHAT);
    await begun;
    expect(noted).not.toHaveBeenCalled();
    // On Postgres, a hold has a lease of a minute.
    vi.advanceTimersByTime(35_000);
    expect(noted).toHaveBeenCalledTimes(3);
    expect(noted.mock.calls.every(([, { amountNanoUsd }]) => amountNanoUsd === 0)).toBe(true);
    end();
    expect((await asked).status).toBe(200);
    vi.advanceTimersByTime(60_000);
    expect(noted).toHaveBeenCalledTimes(3);
    expect(await charges()).toHaveLength(1);
  },
);
