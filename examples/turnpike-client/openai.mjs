// OpenAI's own client. A second argument of openaiOptions has its chats verified and encrypted under it.
import OpenAI from 'openai';
import { createTurnpike } from 'turnpike-client';
import { openaiOptions } from 'turnpike-client/openai';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_KEY: account = '' } = process.env;
// Pages may use it: the key that is in reach there is one of a gateway, with limits of its own.
const openai = new OpenAI({ ...openaiOptions(createTurnpike({ url, account })), dangerouslyAllowBrowser: true });
const chat = await openai.chat.completions.create({
  model: 'guide',
  messages: [{ role: 'user', content: 'How does staking work?' }],
});
console.log(chat.choices[0]?.message.content);
