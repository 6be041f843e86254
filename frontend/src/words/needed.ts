/** What the frame says when a debate waits for a person; apart, because every first visit loads it. */
export const needed = {
  mark: "Needs you:",
  badge: (many: number) => `(${many}) `,
  title: "It is your turn",
  ask: "Notify me when it is my turn",
  askWhy: "Your browser asks for permission. It works while a tab of hustings is open. Nothing leaves your machine.",
  granted: "You are notified when it is your turn, while a tab of hustings is open.",
  denied: "Your browser blocks notifications of this page. Allow them in its settings for this address.",
  heading: "Notifications",
};
