export const BAR_LINK = 'h-14 flex-col justify-center gap-1 rounded-none text-xs';
