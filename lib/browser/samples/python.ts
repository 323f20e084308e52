import { formatJson } from '../json-format';
import { type SampledRequest, sampleHeaders } from './sample';

export function pythonSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return `import json
from urllib.request import Request, urlopen

body = ${formatJson(request.document, { style: 'python' })}
request = Request(
    ${JSON.stringify(request.url)},
    data=json.dumps(body).encode(),
    headers={
${headers.join('\n')}
    },
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
    print(response.headers["X-Service-RPC-Credits"], "credits")
`;
}
