export const MODEL = 'plain';
export const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: MODEL,
  error: null,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Sunny.', annotations: [], logprobs: [] }],
    },
  ],
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 150,
  },
};
export const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'text', text: 'Sunny.' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 50 },
};
export const ANSWERS = { responses: RESPONSE, messages: MESSAGE };
export const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const DELTA = event({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: 'Sunny.',
  sequence_number: 3,
  logprobs: [],
} as never);
export const RESPONSE_EVENTS = [
  event({
    type: 'response.created',
    response: { ...RESPONSE, status: 'in_progress', output: [], usage: null },
    sequence_number: 0,
  } as never),
  event({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...RESPONSE.output[0], content: [], status: 'in_progress' },
    sequence_number: 1,
  } as never),
  event({
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    sequence_number: 2,
  } as never),
  DELTA,
  event({ type: 'response.completed', response: RESPONSE, sequence_number: 4 } as never),
];
const MESSAGE_EVENTS = [
  event({
    type: 'message_start',
    message: {
      ...MESSAGE,
      content: [],
      stop_reason: null,
      usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 1 },
    },
  } as never),
  event({ type: 'ping' }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sunny.' } } as never),
  event({ type: 'content_block_stop', index: 0 } as never),
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 50 },
  } as never),
  event({ type: 'message_stop' }),
];
export const EVENTS = { responses: RESPONSE_EVENTS, messages: MESSAGE_EVENTS };
