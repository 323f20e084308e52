import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import {
  firstPrompt,
  key,
  model as id,
  openaiUrl,
  picture,
  prompt,
  replaceInNotes,
  task,
  toolDescription,
  toolName,
  toolSchema,
} from './task.mjs';

const model = new ChatOpenAI({ model: id, apiKey: key, configuration: { baseURL: openaiUrl } });
const streamed = async (messages) => {
  let text = '';
  for await (const chunk of await model.stream(messages)) text += chunk.text;
  return text;
};

if (task === 'conversation') {
  const first = await model.invoke([new HumanMessage(firstPrompt)]);
  console.log(await streamed([new HumanMessage(firstPrompt), first, new HumanMessage(prompt)]));
} else if (task === 'tools') {
  const replace = tool(replaceInNotes, { name: toolName, description: toolDescription, schema: toolSchema });
  const messages = [new HumanMessage(prompt)];
  for (;;) {
    let whole;
    for await (const chunk of await model.bindTools([replace]).stream(messages))
      whole = whole === undefined ? chunk : whole.concat(chunk);
    if (!whole.tool_calls?.length) {
      console.log(whole.text);
      break;
    }
    messages.push(new AIMessage({ content: whole.content, tool_calls: whole.tool_calls }));
    for (const call of whole.tool_calls)
      messages.push(new ToolMessage({ tool_call_id: call.id, content: await replace.invoke(call.args) }));
  }
} else if (task === 'image') {
  console.log(
    await streamed([
      new HumanMessage({
        content: [
          { type: 'text', text: prompt },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture()}` } },
        ],
      }),
    ]),
  );
} else console.log(await streamed([new HumanMessage(prompt)]));
