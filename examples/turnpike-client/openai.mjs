// Chats through OpenAI's client. With a second argument, openaiOptions makes chats verified and encrypted.
import OpenAI from 'openai';
import { createTurnpike } from 'turnpike-client';
import { openaiOptions } from 'turnpike-client/openai';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
// Allows the key in a browser, because it is the gateway's key and has its own limits.
const openai = new OpenAI({ ...openaiOptions(createTurnpike({ url, account })), dangerouslyAllowBrowser: true });
const chat = await openai.chat.completions.create({
  model: 'guide',
  messages: [{ role: 'user', content: 'How does staking work?' }],
});
console.log(chat.choices[0]?.message.content);
