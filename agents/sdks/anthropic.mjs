import Anthropic from '@anthropic-ai/sdk';
import {
  anthropicUrl,
  firstPrompt,
  key,
  model,
  picture,
  prompt,
  replaceInNotes,
  task,
  toolDescription,
  toolName,
  toolSchema,
} from './task.mjs';

const anthropic = new Anthropic({ baseURL: anthropicUrl, apiKey: key });
const max_tokens = 1_000;
const user = (content) => ({ role: 'user', content });
const streamed = (messages) => anthropic.messages.stream({ model, max_tokens, messages }).finalText();

if (task === 'conversation') {
  const first = await anthropic.messages.create({ model, max_tokens, messages: [user(firstPrompt)] });
  console.log(await streamed([user(firstPrompt), { role: 'assistant', content: first.content }, user(prompt)]));
} else if (task === 'tools') {
  const tool = {
    type: 'custom',
    name: toolName,
    description: toolDescription,
    input_schema: toolSchema,
    parse: (input) => input,
    run: replaceInNotes,
  };
  const last = await anthropic.beta.messages.toolRunner({ model, max_tokens, messages: [user(prompt)], tools: [tool] });
  console.log(last.content.map(({ text }) => text ?? '').join(''));
} else if (task === 'image') {
  console.log(
    await streamed([
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture() } },
        { type: 'text', text: prompt },
      ]),
    ]),
  );
} else console.log(await streamed([user(prompt)]));
