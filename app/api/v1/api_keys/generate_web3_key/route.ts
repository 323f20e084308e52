import { nextRoute } from '@/lib/server/http/next-adapter';
import { generateWeb3Key } from '@/lib/server/api/api_keys/generate-web3-key';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(generateWeb3Key);
