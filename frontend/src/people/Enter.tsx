/** A token, for a server that is shared: the server keeps it in a cookie, and this page forgets it. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call, client, post, Trouble, useAbout } from "../api";
import { useNavigate, useSearch } from "../router";
import { Button } from "../ui/Button";
import { typed } from "../ui/current";
import { TextField } from "../ui/Field";
import { Problem } from "../ui/Said";
import { Title } from "../ui/Title";
import { words } from "../words/doing";
import { linkRefused } from "./link";

/** Only to a page of this server: anybody can write an address. */
export const wayBack = (back: string | undefined): string => (back && /^\/(?![/\\])/.test(back) ? back : "/");

/** `back` is the page that was asked for, where the form stands in its place. */
export default function Enter({ back: here }: { back?: string }) {
  const [empty, setEmpty] = useState(false);
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { back?: string };
  const back = here ?? search.back;
  const enter = useMutation({
    mutationFn: (token: string) => post("/api/session", { token }),
    onSuccess: () => {
      // Where the form stands in place of a page, the page is asked for again.
      void (here ? client.resetQueries() : client.clear());
      if (!here) void navigate({ to: wayBack(back) });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = typed(event.currentTarget, "token");
    setEmpty(!token);
    if (token) enter.mutate(token);
  };
  const leave = useMutation({
    // biome-ignore lint/plugin/mutations: leaving reads no state
    mutationFn: () => call("DELETE", "/api/session"),
    onSuccess: () => client.resetQueries(),
  });
  const { data: about } = useAbout();
  const status = enter.error instanceof Trouble ? enter.error.problem.status : null;
  const unknown = status === 401 || status === 403;
  const cut = empty || status === 422;
  return (
    <form onSubmit={submit} className="mx-auto max-w-sm space-y-5 pt-[12vh]">
      <Title>{words.title(words.enter.title)}</Title>
      <h1 className="text-2xl">{words.enter.title}</h1>
      <p className="text-muted">{linkRefused() ? words.enter.linkOver : words.enter.why}</p>
      <TextField
        type="password"
        autoComplete="current-password"
        label={words.enter.token}
        hint={words.enter.hint}
        name="token"
        problem={cut ? words.enter.whole : unknown ? words.enter.wrong : undefined}
        maxLength={200}
        required
        onChange={() => {
          setEmpty(false);
          enter.reset();
        }}
      />
      {enter.error && !unknown && !cut && <Problem error={enter.error} />}
      <Button type="submit" look="main" className="w-full" busy={enter.isPending}>
        {enter.isPending ? words.enter.going : words.enter.go}
      </Button>
      {wayBack(back) !== "/" && <p className="text-note text-muted">{words.enter.afterwards}</p>}
      {about && about.owner !== "local" && (
        <p className="flex items-center justify-between gap-4 text-sm">
          {words.enter.here(about.owner)}
          <Button onClick={() => leave.mutate()}>{words.enter.leave}</Button>
        </p>
      )}
    </form>
  );
}
