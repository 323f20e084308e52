import OpenAI from 'openai';
import {
  firstPrompt,
  key,
  model,
  openaiUrl,
  picture,
  prompt,
  replaceInNotes,
  task,
  toolDescription,
  toolName,
  toolSchema,
} from './task.mjs';

const openai = new OpenAI({ baseURL: openaiUrl, apiKey: key });
const user = (content) => ({ role: 'user', content });
const streamed = async (messages) => {
  let text = '';
  for await (const { choices } of await openai.chat.completions.create({
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
  }))
    text += choices[0]?.delta.content ?? '';
  return text;
};

if (task === 'conversation') {
  const first = await openai.chat.completions.create({ model, messages: [user(firstPrompt)] });
  console.log(await streamed([user(firstPrompt), first.choices[0].message, user(prompt)]));
} else if (task === 'tools') {
  const tool = {
    type: 'function',
    function: {
      name: toolName,
      description: toolDescription,
      parameters: toolSchema,
      parse: JSON.parse,
      function: replaceInNotes,
    },
  };
  console.log(
    await openai.chat.completions
      .runTools({ model, messages: [user(prompt)], tools: [tool], stream: true })
      .finalContent(),
  );
} else if (task === 'image') {
  console.log(
    await streamed([
      user([
        { type: 'text', text: prompt },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${picture()}` } },
      ]),
    ]),
  );
} else console.log(await streamed([user(prompt)]));
