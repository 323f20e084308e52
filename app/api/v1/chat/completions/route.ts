import { nextRoute } from '@/lib/server/http/next-adapter';
import { chatCompletions } from '@/lib/server/api/chat/completions';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(chatCompletions);
