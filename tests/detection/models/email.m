-- Survey, Figure 9: clients send to a mailer, which forwards to the recipient's box. Boxes have numbers of their own.
--
-- detect: order=120 Client{*}+Box{*}=full
const n: 5;
type Client: 1..n; Box: n + 1 .. 2 * n;
  Message: record addr: Box; from: Client; end;
var network: Message; isFull: boolean;
    box: array [Box] of record isFull: boolean; from: Client; end;
    sent: array [Client] of boolean;
startstate begin
  undefine network; isFull := false;
  for c: Client do sent[c] := false; end;
  for b: Box do box[b].isFull := false; undefine box[b].from; end;
end;
ruleset c: Client do
  ruleset d: Client do
    rule "send" !isFull & !sent[c] & c != d ==> begin
      isFull := true; network.addr := d + n; network.from := c; sent[c] := true;
    end;
  end;
  rule "read" box[c + n].isFull ==> begin box[c + n].isFull := false; undefine box[c + n].from; sent[c] := false; end;
end;
rule "forward" isFull & !box[network.addr].isFull ==> begin
  box[network.addr].isFull := true; box[network.addr].from := network.from; undefine network; isFull := false;
end;
