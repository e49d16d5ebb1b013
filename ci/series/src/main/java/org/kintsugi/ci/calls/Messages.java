// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;

/**
 * Messages: each rank sends one and receives one, or talks to {@link Comm#PROC_NULL}; a message may be shorter than its buffer.
 */
final class Messages extends Operation {
  /** How messages are sent. */
  enum Mode {
    STANDARD,
    SYNCHRONOUS,
    BUFFERED,
    READY
  }

  /** How a receive that blocks finds its message. */
  enum Finding {
    RECV("recv"),
    RECV_WITH_STATUS("recv with status"),
    PROBE("probe and recv"),
    I_PROBE("iProbe and recv"),
    M_PROBE("mProbe and recv"),
    IM_PROBE("imProbe and iRecv");

    private final String text;

    Finding(String text) {
      this.text = text;
    }
  }

  /** Both at once. */
  enum Both {
    NEITHER,
    SEND_RECV,
    SEND_RECV_REPLACE
  }

  private final int tag;
  private final Both both;
  private final Mode mode;
  private final Finding finding;
  private final Form sending;
  private final Form receiving;
  private final boolean isAnySource;
  private final boolean isAnyTag;
  /** The receive is waited for alone, with a status. */
  private final boolean isAwaitedAlone;
  private final int[] to;
  private final int[] from;
  /** Of each rank's message. */
  private final int[] basics;
  private final Map<Integer, Place> sends = new TreeMap<>();
  private final Map<Integer, Place> receives = new TreeMap<>();

  private PersistentRequest sendRequest;
  private PersistentRequest receiveRequest;
  private Request spentSend;
  private Request spentReceive;
  private Request awaited;

  Messages(Plan plan, Team team, Form form, int tag, boolean isAlone, boolean mayBlock) {
    super(plan, team, form);
    this.tag = tag;
    Form[] forms = Form.values();
    both = form == Form.BLOCKING && plan.oneIn(3) ? Both.values()[1 + plan.random.nextInt(2)] : Both.NEITHER;
    boolean isSendFirst = plan.random.nextBoolean();
    Form other = mayBlock ? forms[plan.random.nextInt(3)] : forms[1 + plan.random.nextInt(2)];
    if (form == Form.BLOCKING) {
      other = forms[1 + plan.random.nextInt(2)]; // else both could wait for each other
    }
    sending = isSendFirst ? form : other;
    receiving = isSendFirst ? other : form;
    Mode wanted = Mode.values()[plan.random.nextInt(4)];
    mode = wanted == Mode.READY && receiving == Form.BLOCKING ? Mode.STANDARD : wanted;
    finding = Finding.values()[plan.random.nextInt(6)];
    isAnySource = plan.oneIn(4);
    isAnyTag = isAlone && !isAnySource && plan.oneIn(4);
    isAwaitedAlone = plan.oneIn(3);
    int ranks = plan.areas.size();
    to = new int[ranks];
    from = new int[ranks];
    basics = new int[ranks];
    Arrays.fill(to, -1);
    Arrays.fill(from, -1);
    planPartners();
    planBuffers();
  }

  private void planPartners() {
    int[][] groups = team.groups();
    for (int side = 0; side < groups.length; side++) {
      int[] own = groups[side];
      int[] others = groups[groups.length - 1 - side];
      int shift = plan.random.nextInt(others.length);
      for (int i = 0; i < Math.min(own.length, others.length); i++) {
        if (!plan.oneIn(8)) {
          int dest = others[(i + shift) % others.length];
          to[own[i]] = dest;
          from[dest] = own[i];
        }
      }
    }
  }

  private void planBuffers() {
    Basic[] signature = plan.layouts.signature();
    int same = plan.repetitions();
    for (int rank : team.members()) {
      if (both == Both.SEND_RECV_REPLACE) {
        basics[rank] = same * signature.length;
        receives.put(rank, plan.place(rank, signature, same, true));
        continue;
      }
      int repetitions = plan.repetitions();
      basics[rank] = repetitions * signature.length;
      sends.put(rank, plan.place(rank, signature, repetitions, false));
    }
    for (int rank : team.members()) {
      if (both != Both.SEND_RECV_REPLACE) {
        int least = from[rank] < 0 ? 0 : basics[from[rank]] / signature.length;
        receives.put(rank, plan.place(rank, signature, least + plan.pick(0, 0, 1, 6, 600), true));
      }
    }
  }

  @Override
  String name() {
    if (both != Both.NEITHER) {
      return both == Both.SEND_RECV ? "sendRecv" : "sendRecvReplace";
    }
    String modeName = mode == Mode.STANDARD ? "" : mode.name().toLowerCase(Locale.ROOT) + " ";
    return modeName + (sending == Form.BLOCKING ? "send" : sending == Form.NONBLOCKING ? "iSend" : "sendInit") + " to "
        + (receiving == Form.BLOCKING ? finding.text : receiving == Form.NONBLOCKING ? "iRecv" : "recvInit");
  }

  @Override
  String details() {
    List<String> lines = new ArrayList<>();
    for (int rank : team.members()) {
      if (sends.containsKey(rank)) {
        lines.add("  " + rank + " sends to " + to[rank] + " " + sends.get(rank));
      }
      lines.add("  " + rank + " receives from " + from[rank] + " " + receives.get(rank));
    }
    return "  tag " + tag + (isAnySource ? ", any source" : "") + (isAnyTag ? ", any tag" : "")
        + (isAwaitedAlone ? ", awaited alone" : "") + "\n"
        + String.join("\n", lines).toLowerCase(Locale.ROOT);
  }

  private Place sent(int rank) {
    return both == Both.SEND_RECV_REPLACE ? receives.get(rank) : sends.get(rank);
  }

  @Override
  void define(byte[][][] before, byte[][][] after) {
    for (int rank : team.members()) {
      if (to[rank] >= 0) {
        move(before, after, sent(rank), 0, receives.get(to[rank]), 0, basics[rank]);
      }
    }
  }

  private int dest(int me) {
    return to[me] < 0 ? Comm.PROC_NULL : team.rank(to[me]);
  }

  private int source(int me) {
    return from[me] < 0 ? Comm.PROC_NULL : isAnySource ? Comm.ANY_SOURCE : team.rank(from[me]);
  }

  private int receiveTag() {
    return isAnyTag ? Comm.ANY_TAG : tag;
  }

  @Override
  Request call(int me, Comm comm, Form as) {
    throw new AssertionError("messages have steps of their own");
  }

  @Override
  void prepare(int me) {
    if (both != Both.NEITHER) {
      return;
    }
    Comm comm = team.comm();
    if (receiving == Form.PERSISTENT) {
      receiveRequest = comm.recvInit(receives.get(me).buf(types), source(me), receiveTag());
    }
    if (sending == Form.PERSISTENT) {
      Buf buf = sends.get(me).buf(types);
      int dest = dest(me);
      sendRequest = switch (mode) {
        case STANDARD -> comm.sendInit(buf, dest, tag);
        case SYNCHRONOUS -> comm.sSendInit(buf, dest, tag);
        case BUFFERED -> comm.bSendInit(buf, dest, tag);
        case READY -> comm.rSendInit(buf, dest, tag);
      };
    }
  }

  @Override
  void close() {
    if (sendRequest != null) {
      sendRequest.close();
    }
    if (receiveRequest != null) {
      receiveRequest.close();
    }
    super.close();
  }

  @Override
  void begin(int me, List<Request> requests) {
    if (both != Both.NEITHER) {
      return;
    }
    awaited = null;
    if (receiving != Form.BLOCKING) {
      Request receive = receiveRequest;
      if (receiving == Form.PERSISTENT) {
        receiveRequest.start();
      } else {
        spentReceive = team.comm().iRecv(receives.get(me).buf(types), source(me), receiveTag(), spentReceive);
        receive = spentReceive;
      }
      if (isAwaitedAlone) {
        awaited = receive;
      } else {
        requests.add(receive);
      }
    }
    if (sending != Form.BLOCKING && mode != Mode.READY) {
      startSend(me, requests);
    }
  }

  private void startSend(int me, List<Request> requests) {
    if (sending == Form.PERSISTENT) {
      sendRequest.start();
      requests.add(sendRequest);
      return;
    }
    Comm comm = team.comm();
    Buf buf = sends.get(me).buf(types);
    int dest = dest(me);
    spentSend = switch (mode) {
      case STANDARD -> comm.iSend(buf, dest, tag, spentSend);
      case SYNCHRONOUS -> comm.iSSend(buf, dest, tag);
      case BUFFERED -> comm.iBSend(buf, dest, tag);
      case READY -> comm.iRSend(buf, dest, tag);
    };
    requests.add(spentSend);
  }

  @Override
  void block(int me, List<Request> requests) {
    if (both != Both.NEITHER) {
      both(me);
      return;
    }
    if (mode == Mode.READY) {
      team.comm().barrier(); // receives are posted
      if (sending != Form.BLOCKING) {
        startSend(me, requests);
      }
    }
    if (sending == Form.BLOCKING) {
      send(me);
    }
    if (receiving == Form.BLOCKING) {
      receive(me, requests);
    }
  }

  private void both(int me) {
    Comm comm = team.comm();
    Buf receive = receives.get(me).buf(types);
    Status status = new Status();
    if (both == Both.SEND_RECV) {
      comm.sendRecv(sends.get(me).buf(types), dest(me), tag, receive, source(me), receiveTag(), status);
    } else {
      comm.sendRecvReplace(receive, dest(me), tag, source(me), receiveTag(), status);
    }
    check(me, status);
  }

  private void send(int me) {
    Comm comm = team.comm();
    Buf buf = sends.get(me).buf(types);
    int dest = dest(me);
    switch (mode) {
      case STANDARD -> comm.send(buf, dest, tag);
      case SYNCHRONOUS -> comm.sSend(buf, dest, tag);
      case BUFFERED -> comm.bSend(buf, dest, tag);
      case READY -> comm.rSend(buf, dest, tag);
      default -> throw new AssertionError(mode);
    }
  }

  private void receive(int me, List<Request> requests) {
    Comm comm = team.comm();
    Buf buf = receives.get(me).buf(types);
    int source = source(me);
    switch (finding) {
      case RECV -> comm.recv(buf, source, receiveTag());
      case RECV_WITH_STATUS -> check(me, comm.recv(buf, source, receiveTag(), new Status()));
      case PROBE -> {
        Status found = comm.probe(source, receiveTag());
        check(me, found);
        check(me, comm.recv(buf, found.source(), isAnyTag && from[me] < 0 ? Comm.ANY_TAG : tag, new Status()));
      }
      case I_PROBE -> {
        Status found = new Status();
        while (!comm.iProbe(source, receiveTag(), found)) {
          Thread.yield();
        }
        check(me, found);
        comm.recv(buf, found.source(), tag);
      }
      case M_PROBE -> {
        Message message = comm.mProbe(source, receiveTag());
        check(me, message.status());
        message.recv(buf);
      }
      default -> {
        Message message = comm.imProbe(source, receiveTag());
        while (message == null) {
          Thread.yield();
          message = comm.imProbe(source, receiveTag());
        }
        check(me, message.status());
        requests.add(message.iRecv(buf));
      }
    }
  }

  /** What the message's status says. */
  private void check(int me, Status status) {
    int source = from[me] < 0 ? Comm.PROC_NULL : team.rank(from[me]);
    int expectedTag = from[me] < 0 ? Comm.ANY_TAG : tag;
    long bytes = 0;
    if (from[me] >= 0) {
      Place sent = sent(from[me]);
      for (int i = 0; i < basics[from[me]]; i++) {
        bytes += sent.kind(i).bytes;
      }
    }
    if (status.source() != source || status.tag() != expectedTag || status.bytes() != bytes) {
      throw new WrongException("the status says source " + status.source() + ", tag " + status.tag() + ", " + status.bytes()
          + " bytes instead of " + source + ", " + expectedTag + ", " + bytes);
    }
  }

  @Override
  void check(int me) {
    if (awaited != null) {
      check(me, awaited.waitFor(new Status()));
    }
  }
}
