/** Stream of a model server, and the result that every reader must return. */
export interface OddStream {
  name: string;
  /** Body after the headers. */
  body: string;
  /** `text/event-stream` by default; null for no header. */
  contentType?: string | null;
  /** What happens to the connection after the body. */
  then?: 'ends' | 'breaks' | 'stays open';
  expected: Found;
}

/** Result of a reader. */
export interface Found {
  text: string;
  reasoning: string;
  calls: readonly { id: string; name: string; argumentsText: string }[];
  usage: { promptTokens: number; completionTokens: number } | null;
  /** The model's finish reason, `cut` if the stream breaks off, or the text of an error. */
  end: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'cut' | { error: string };
  /**
   * True if output came before an error or break. Without output, the gateway asks another server and charges nothing.
   */
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
