/** Answers as servers of models write them, and what every reader has to find in them. */
export interface OddStream {
  name: string;
  /** What the server sends after its headers. */
  body: string;
  /** `text/event-stream` unless given; null for none. */
  contentType?: string | null;
  /** How the connection goes on after the body: it ends, breaks, or stays open. */
  then?: 'ends' | 'breaks' | 'stays open';
  expected: Found;
}

/** What a reader found. */
export interface Found {
  text: string;
  reasoning: string;
  calls: readonly { id: string; name: string; argumentsText: string }[];
  usage: { promptTokens: number; completionTokens: number } | null;
  /** Reason why the model ended; `cut` where the stream breaks off; else the sentence of an error. */
  end: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'cut' | { error: string };
  /** True if an answer had begun before an error or a break. Before that another server is asked, and nothing is charged. */
  hasBegun: boolean;
}

export const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
export const DONE = 'data: [DONE]\n\n';
export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'plain' };
export const chunk = (delta: object | null, finish: string | null = null, more: object = {}): string =>
  sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }], ...more });
export const ROLE = chunk({ role: 'assistant', content: '' });
export const HELLO = chunk({ content: 'Hello.' });
export const STOP = chunk({}, 'stop');
export const COUNT = sse({ ...head, choices: [], usage: USAGE });
export const ALL = ROLE + HELLO + STOP + COUNT + DONE;
export const whole = (message: object, finish = 'stop', more: object = {}): string =>
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: USAGE,
    ...more,
  });

export const hello: Found = {
  text: 'Hello.',
  reasoning: '',
  calls: [],
  usage: { promptTokens: 7, completionTokens: 3 },
  end: 'stop',
  hasBegun: true,
};
export const uncounted: Found = { ...hello, usage: null };
export const fails = (error: string, found: Partial<Found> = {}): Found => ({
  ...uncounted,
  text: '',
  hasBegun: false,
  ...found,
  end: { error },
});
export const failsLate = (error: string): Found => fails(error, { text: 'Hello.', hasBegun: true });
export const cut = (found: Partial<Found> = {}): Found => ({ ...uncounted, ...found, end: 'cut' });
export const FILTERED = { hate: { filtered: false, severity: 'safe' } };
