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
const streamed = (input, more = {}) => openai.responses.stream({ model, input, ...more }).finalResponse();

if (task === 'conversation') {
  const first = await openai.responses.create({ model, input: firstPrompt });
  console.log((await streamed([user(firstPrompt), ...first.output, user(prompt)])).output_text);
} else if (task === 'tools') {
  const tools = [
    { type: 'function', name: toolName, description: toolDescription, parameters: toolSchema, strict: true },
  ];
  const input = [user(prompt)];
  for (;;) {
    const { output, output_text: text } = await streamed(input, { tools });
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) {
      console.log(text);
      break;
    }
    input.push(
      ...output,
      ...calls.map(({ call_id, arguments: given }) => ({
        type: 'function_call_output',
        call_id,
        output: replaceInNotes(JSON.parse(given)),
      })),
    );
  }
} else if (task === 'image') {
  console.log(
    (
      await streamed([
        user([
          { type: 'input_text', text: prompt },
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${picture()}` },
        ]),
      ])
    ).output_text,
  );
} else console.log((await streamed(prompt)).output_text);
